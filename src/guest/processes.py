"""Ends a shell or a kernel with all its descendants."""
import os
import signal


def end_group(leader, how=signal.SIGKILL):
    """Kills a whole session, whatever groups the shell made for its jobs. Parents first: none sees a child's end."""
    for pid in members(leader) or [leader]:
        try:
            os.kill(pid, how)
        except OSError:
            pass


def members(leader):
    """Processes of a session, parents before their children."""
    found, children = set(), {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open('/proc/%s/stat' % name) as file:
                    fields = file.read().rpartition(')')[2].split()
                if int(fields[3]) == leader and fields[0] != 'Z':
                    found.add(int(name))
                    children.setdefault(int(fields[1]), []).append(int(name))
            except (OSError, IndexError, ValueError):
                pass
    ordered = [pid for parent in children if parent not in found for pid in children[parent]]
    for pid in ordered:
        ordered += children.get(pid, [])
    return ordered
