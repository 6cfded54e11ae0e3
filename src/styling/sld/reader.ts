/** Reads SLD 1.0.0 and SLD 1.1.0 with Symbology Encoding into the style model, or says everything that is wrong. */

import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute } from '../../lib/xml/elements.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { Complaints } from './document/complaints.ts';
import { findDeclaredVersion, findNearVersion, guessVersion, type SldVersion } from './document/sld-version.ts';
import { checkStructure } from './grammar/check-structure.ts';
import { quoteText } from './grammar/expected.ts';
import { readDescriptor } from './read/layer.ts';
import { findDescriptor } from './root.ts';
import { StreamingRuleReader } from './streaming-rule-reader.ts';

/** Styles nest some twenty deep, and functions in them some more; a megabyte of rules has some fifty thousand nodes. */
export const sldLimits: DocumentLimits = { maxDepth: 200, maxNodes: 2_000_000 };

export interface SldReadResult {
  readonly version: SldVersion;
  /** Nobody changes it, as its type says; freezing a hundred thousand records would be a twentieth of reading them. */
  readonly model: StyledLayerDescriptor;
  /** What is not as it should be and was understood nevertheless, as sentences with the place; the first of many. */
  readonly warnings: readonly string[];
}

export interface SldReadingOptions {
  readonly limits?: DocumentLimits;
  /** Whether everything must be as it should be, also what cannot be misunderstood. */
  readonly strict?: boolean;
}

/** Throws `style-invalid` with every error of the document, or what is wrong with it as XML. */
export function readSld(text: string, { limits = sldLimits, strict = false }: SldReadingOptions = {}): SldReadResult {
  const rules = new StreamingRuleReader(strict);
  const written = readXml(text, limits, {
    markCdata: true,
    closed: (element, open) => rules.readClosedElement(element, open),
  });
  const complaints = new Complaints(written, strict);
  const root = findDescriptor(written, complaints);
  if (root === undefined) throw complaints.toProblem();

  const version = resolveVersion(root, complaints);
  const model = readDescriptor({ complaints, rules }, checkStructure(root, version, complaints, rules));
  const problem = complaints.toProblem();
  if (problem !== undefined) throw problem;
  return { version, model, warnings: complaints.toWarnings() };
}

function resolveVersion(root: XmlElement, complaints: Complaints): SldVersion {
  const declared = findDeclaredVersion(root);
  if (declared !== undefined) return declared;
  const written = attribute(root, 'version');
  if (written === undefined) return guessVersion(root);
  const problem = `the version is ${quoteText(written)}, but 1.0.0 or 1.1.0 was expected`;
  const near = findNearVersion(written);
  if (near === undefined) complaints.add(root, problem);
  else complaints.warnUnlessStrict(root, `${problem}: it is read as ${near}`, problem);
  return near ?? guessVersion(root);
}
