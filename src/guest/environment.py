"""Prints, as one line of JSON, what a command in a sandbox has: Python's version, packages, programs. Starts no program.

Run by the Python that commands get, with their PATH. Only what models ask for is looked for: a model pays for each word.
"""
import importlib.util
import json
import os
import shutil
import sys

# Distributions by the module that they bring.
PACKAGES = {
    'numpy': 'numpy',
    'pandas': 'pandas',
    'matplotlib': 'matplotlib',
    'scipy': 'scipy',
    'sklearn': 'scikit-learn',
    'torch': 'torch',
    'openpyxl': 'openpyxl',
    'docx': 'python-docx',
    'requests': 'requests',
    'bs4': 'beautifulsoup4',
    'lxml': 'lxml',
    'PIL': 'pillow',
    'yaml': 'pyyaml',
    'pytest': 'pytest',
}
PROGRAMS = [
    'git', 'node', 'npm', 'gcc', 'g++', 'make', 'go', 'cargo', 'java', 'rg', 'jq', 'curl', 'sqlite3', 'ffmpeg', 'pdflatex', 'xelatex',
    'pandoc', 'soffice', 'pdftotext',
]


def is_there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


print(json.dumps({
    'python': '%d.%d.%d' % sys.version_info[:3],
    'packages': [name for module, name in PACKAGES.items() if is_there(module)],
    'programs': [name for name in PROGRAMS if shutil.which(name, path=os.environ['PATH'])],
}))
