/** The documents of an upload and their references to each other; no other file is opened. */
import { posix } from 'node:path';
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { DiagnosticList } from './diagnostics.ts';

/** By path, with slashes. */
export type DocumentFiles = Pick<ReadonlyMap<string, Uint8Array>, 'has' | 'get'>;

/** Returns the root element, or undefined with a diagnostic if the XML is invalid. */
export function readDocument(
  files: DocumentFiles,
  path: string,
  limits: DocumentLimits,
  complaints: DiagnosticList,
): XmlElement | undefined {
  try {
    return readXml(decodeText(files.get(path) ?? new Uint8Array(), undefined, true), limits);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { line } = error.details as { readonly line?: unknown };
    complaints.add(path, typeof line === 'number' ? line : 1, error.message);
    return undefined;
  }
}

/** Resolves a path in a file; returns undefined if it is not relative or leaves the files. */
export function resolveRelativePath(from: string, written: string): string | undefined {
  if (written === '' || /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(written) || written.includes('\0')) return undefined;
  const path = posix.normalize(posix.join(posix.dirname(from), written.replaceAll('\\', '/')));
  return path.startsWith('../') || path === '..' || path === '.' ? undefined : path;
}
