"""Reads {"path", "set"?} from stdin; replaces the file's user.e2b.* attributes when `set` is there; prints them as JSON."""
import json
import os
import sys

PREFIX = "user.e2b."
request = json.load(sys.stdin)
path = request["path"]
names = [name for name in os.listxattr(path, follow_symlinks=False) if name.startswith(PREFIX)]
if "set" in request:
    for name in names:
        os.removexattr(path, name)
    for key, value in request["set"].items():
        os.setxattr(path, PREFIX + key, value.encode())
    print(json.dumps(request["set"]))
else:
    values = {name[len(PREFIX):]: os.getxattr(path, name, follow_symlinks=False) for name in names}
    print(json.dumps({key: value.decode(errors="replace") for key, value in values.items()}))
