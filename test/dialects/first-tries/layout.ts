import { epub, xlsx } from '../../support/documents.ts'

const CHAPTER = `<h1>Chapter</h1>${'<p>Words of a long book, and more of them, until the page is full.</p>'.repeat(230)}`

const DOCUMENTS: Readonly<Record<string, Uint8Array>> = {
  'book.epub': epub([CHAPTER, CHAPTER, CHAPTER]),
  'prices.xlsx': xlsx({ Prices: '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*2</f></c></row>' }),
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Command that makes the files of the tasks, in the root of a workspace. A task that changes a file has it for itself. */
export const LAYOUT = `
mkdir -p code_run data docs
printf 'one\\ntwo\\nthree\\nfour\\n' > notes.txt
printf 'A text.\\n' > code_run/a.txt
printf 'first\\r\\nsecond\\r\\nthird\\r\\n' > windows.txt
printf 'def total(items):\\n    result = 0\\n    for item in items:\\n        result += item\\n    return result\\n' > sum.py
printf 'a = 1\\nb = 2\\na = 1\\nc = 3\\na = 1\\n' > thrice.py
printf 'alpha\\nbeta\\ngamma\\n' > list.txt
printf 'red\\n' > red.txt
printf 'blue\\n' > blue.txt
printf 'def load(path):\\n    # TODO: check it\\n    return path\\n' > data/load.py
printf 'TODO: write\\n' > data/plan.md
printf '# Title\\n\\nSome words.\\n' > docs/paper.md
: > empty.txt
seq 1 700000 > big.txt
python3 - <<'PY'
open('line.json', 'w').write('[' + '1,' * 500000 + '1]')
import struct, zlib
chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
header, pixels = struct.pack('>IIBBBBB', 2, 1, 8, 0, 0, 0, 0), zlib.compress(bytes(3))
open('picture.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', header) + chunk(b'IDAT', pixels) + chunk(b'IEND', b''))
open('binary.dat', 'wb').write(bytes(range(256)) * 20)
open('gbk.txt', 'wb').write('你好，世界。这是一个用旧编码保存的文件。\\n'.encode('gbk'))
open('utf16.txt', 'wb').write('Grüße\\nzwei\\n'.encode('utf-16'))
open('aaa.txt', 'w').write('a' * 50000 + 'b\\n')
PY
${Object.entries(DOCUMENTS)
  .map(([name, bytes]) => `echo ${base64(bytes)} | base64 -d > ${name}`)
  .join('\n')}
`
