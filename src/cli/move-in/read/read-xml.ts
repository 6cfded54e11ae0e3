/** Reads XML documents of a source; faults become entries of the report. */
import { decodeText } from '../../../lib/files/decode-text.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import type { Report } from '../report/report.ts';
import type { FileTree } from '../source/file-tree.ts';
import type { Source } from '../source/source.ts';

/** A hundred times the size of the largest documents of stores and types. */
export const MAX_XML_BYTES = 10_485_760;

/** Far deeper and larger than documents of any configuration. */
const limits = { maxDepth: 200, maxNodes: 500_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Documents without a declaration are UTF-8. A decoder for each of 200,000 documents would need 200 MB. */
function decodeDocument(bytes: Buffer): string {
  if (bytes[0] === 0x3c && bytes[1] !== 0x3f && bytes[1] !== 0) {
    try {
      return utf8.decode(bytes);
    } catch {
      // The general decoder reports the error.
    }
  }
  return decodeText(bytes, undefined, true);
}

export class DocumentReader {
  readonly #source: Pick<Source, 'read'>;
  readonly #files: FileTree;
  readonly #report: Report;

  constructor(source: Pick<Source, 'read'>, files: FileTree, report: Report) {
    this.#source = source;
    this.#files = files;
    this.#report = report;
  }

  /** Returns the root element; undefined for a missing or invalid document. */
  async read(path: string, roots: readonly string[], kind?: string): Promise<XmlElement | undefined> {
    const root = await this.readAny(path, kind);
    if (root === undefined || roots.includes(root.local)) return root;
    const subject = { source: path, ...(kind === undefined ? {} : { kind }) };
    const expected = roots.join(' or ');
    this.#report.add(
      'xml-malformed',
      subject,
      `The root element is '${root.local.slice(0, 80)}', expected ${expected}.`,
    );
    return undefined;
  }

  /** Returns the root element, whatever its name is. */
  async readAny(path: string, kind?: string): Promise<XmlElement | undefined> {
    const bytes = await this.readBytes(path, MAX_XML_BYTES, kind);
    if (bytes === undefined) return undefined;
    const subject = { source: path, ...(kind === undefined ? {} : { kind }) };
    try {
      return readXml(decodeDocument(bytes), limits);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const code = error.code === 'xml-doctype' ? 'xml-doctype' : 'xml-malformed';
      this.#report.add(code, subject, error.message, 'Correct the file, or save it again with the old server.');
    }
    return undefined;
  }

  /** Returns the bytes of a file and accounts for it; undefined if it is missing or too large. */
  async readBytes(path: string, maxBytes: number, kind?: string): Promise<Buffer | undefined> {
    if (!this.#files.has(path)) return undefined;
    this.#files.account(path);
    const bytes = await this.#source.read(path, maxBytes);
    if (bytes === undefined) {
      const subject = { source: path, ...(kind === undefined ? {} : { kind }) };
      this.#report.add('file-too-large', subject, `The file exceeds the limit of ${maxBytes} bytes.`);
    }
    return bytes;
  }

  /** Returns the text of a file; undefined if it is missing, too large or not UTF-8. */
  async readText(path: string, kind?: string): Promise<string | undefined> {
    const bytes = await this.readBytes(path, MAX_XML_BYTES, kind);
    if (bytes === undefined) return undefined;
    try {
      return decodeText(bytes, undefined, false);
    } catch {
      // Properties files of old versions are Latin-1.
      return bytes.toString('latin1');
    }
  }
}
