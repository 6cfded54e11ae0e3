/** The two versions of SLD, and their detection. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { xmlnsNamespace } from '../../../lib/xml/element.ts';
import { seNamespace } from './namespaces.ts';

export type SldVersion = '1.0.0' | '1.1.0';

/** Returns the declared version; undefined if it is missing or unknown. */
export function findDeclaredVersion(root: XmlElement): SldVersion | undefined {
  const declared = root.attributes.find(({ name }) => name === 'version')?.value.trim();
  return declared === '1.0.0' || declared === '1.1.0' ? declared : undefined;
}

/** A document without a version is 1.1.0 if it declares Symbology Encoding, which 1.0.0 does not use. */
export function guessVersion(root: XmlElement): SldVersion {
  const knowsSymbologyEncoding = root.attributes.some(
    ({ uri, value }) => uri === xmlnsNamespace && value === seNamespace,
  );
  return knowsSymbologyEncoding ? '1.1.0' : '1.0.0';
}

/**
 * Returns the version for a similar number, such as `1.0` and `1.0.20`: patch numbers do not change the format. Drafts
 * (`0.7.2`) are read as their successor.
 */
export function findNearVersion(written: string): SldVersion | undefined {
  const [, number] = /^(0\.\d|1\.0|1\.1)(?:\.\d{1,3})?$/.exec(written.trim()) ?? [];
  if (number === undefined) return undefined;
  return number === '1.1' ? '1.1.0' : '1.0.0';
}
