"""Tells whether pip's package index can be reached, by one connection, where pip would try again and again.

Argument `check`: ends with 0 when the index answers, or when pip may have other sources; else prints why not, and ends
with 1. Argument `installed`: prints the names of installed packages, the well-known first, as far as a line has room.
"""
import os
import sys

# Time for the name's address and the connection, in seconds.
PATIENCE = 4
WELL_KNOWN = [
    'numpy', 'pandas', 'scipy', 'matplotlib', 'scikit-learn', 'requests', 'beautifulsoup4', 'lxml', 'pillow', 'PyYAML', 'openpyxl',
    'pytest',
]
MAX_NAMES_CHARS = 140
# Bytes of a proxy's answer, of which the first line says why it refuses.
MAX_ANSWER = 600
SOURCES = ('proxy', 'no-index', 'find-links', 'extra-index-url')


def settings():
    """Settings of pip that matter here, as pip has them: files first, then the environment."""
    found = {}
    home = os.path.expanduser('~')
    for name in ('/etc/pip.conf', '/etc/xdg/pip/pip.conf', home + '/.pip/pip.conf', home + '/.config/pip/pip.conf', os.environ.get('PIP_CONFIG_FILE', '')):
        if os.path.isfile(name):
            import configparser
            file = configparser.RawConfigParser()
            try:
                file.read(name)
            except (configparser.Error, UnicodeDecodeError):
                continue
            for section in ('global', 'install'):
                found.update(file[section] if file.has_section(section) else {})
    for key in (*SOURCES, 'index-url'):
        value = os.environ.get('PIP_' + key.upper().replace('-', '_'))
        if value:
            found[key] = value
    return found


def tunnel_proxy(url):
    """Address of the proxy by which pip asks for tunnels to the index; None where it asks none, or for anything else."""
    from urllib.parse import urlsplit
    from urllib.request import getproxies_environment, proxy_bypass_environment
    proxies = getproxies_environment()
    try:
        proxy = urlsplit(proxies.get('https') or proxies.get('all') or '')
        is_tunnel = url.scheme == 'https' and proxy.scheme == 'http' and not proxy.username and not proxy_bypass_environment(url.hostname, proxies)
        return (proxy.hostname, proxy.port) if is_tunnel and proxy.hostname and proxy.port else None
    except ValueError:
        return None


def check():
    pip = settings()
    if any(pip.get(key) for key in SOURCES):
        return
    import socket
    import threading
    from urllib.parse import urlsplit
    try:
        url = urlsplit(pip.get('index-url', 'https://pypi.org/simple'))
        host, port = url.hostname, url.port or (80 if url.scheme == 'http' else 443)
    except ValueError:
        return
    if url.scheme not in ('http', 'https') or not host:
        return
    proxy = None
    if any(os.environ.get(name) for name in ('http_proxy', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy')):
        proxy = tunnel_proxy(url)
        if proxy is None:
            return

    def refuse(why):
        os.write(1, ('%s:%d (%s)' % (host, port, why)).encode())
        os._exit(1)

    timer = threading.Timer(PATIENCE, refuse, ['no answer in %d s' % PATIENCE])
    timer.daemon = True
    timer.start()
    try:
        with socket.create_connection(proxy or (host, port), PATIENCE) as link:
            if proxy:
                link.sendall(('CONNECT %s:%d HTTP/1.1\r\nHost: %s:%d\r\n\r\n' % (host, port, host, port)).encode())
                answer = link.recv(MAX_ANSWER).decode('ascii', 'replace').split('\r\n')[0]
                if answer[8:13] == ' 403 ':
                    refuse(answer[13:])
    except OSError as error:
        refuse(error.strerror or type(error).__name__)


def installed():
    from importlib.metadata import distributions
    names = {one.metadata['Name'] for one in distributions()} - {None}
    ranked = sorted(names, key=lambda name: (name.lower() not in map(str.lower, WELL_KNOWN), name.lower()))
    text = ''
    for count, name in enumerate(ranked):
        if len(text) + len(name) > MAX_NAMES_CHARS:
            text += ', and %d more (pip list)' % (len(ranked) - count)
            break
        text += (', ' if text else '') + name
    print(text)


if sys.argv[1] == 'check':
    check()
    os._exit(0)
installed()
