/** The two versions of SLD, and how a document tells which one it is. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { xmlnsNamespace } from '../../../lib/xml/element.ts';
import { seNamespace } from './namespaces.ts';

export type SldVersion = '1.0.0' | '1.1.0';

/** What the document says, or undefined if it says nothing or something else. */
export function findDeclaredVersion(root: XmlElement): SldVersion | undefined {
  const declared = root.attributes.find(({ name }) => name === 'version')?.value.trim();
  return declared === '1.0.0' || declared === '1.1.0' ? declared : undefined;
}

/** A document without a version is 1.1.0 if it knows of Symbology Encoding, which 1.0.0 had no part for. */
export function guessVersion(root: XmlElement): SldVersion {
  const knowsSymbologyEncoding = root.attributes.some(
    ({ uri, value }) => uri === xmlnsNamespace && value === seNamespace,
  );
  return knowsSymbologyEncoding ? '1.1.0' : '1.0.0';
}

/**
 * The version that one of another number means, such as `1.0` and `1.0.20`: numbers in the last place change no word.
 * Drafts (`0.7.2`) are read as what became of them.
 */
export function findNearVersion(written: string): SldVersion | undefined {
  const [, number] = /^(0\.\d|1\.0|1\.1)(?:\.\d{1,3})?$/.exec(written.trim()) ?? [];
  if (number === undefined) return undefined;
  return number === '1.1' ? '1.1.0' : '1.0.0';
}
