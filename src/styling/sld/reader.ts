/** Reads SLD 1.0.0 and SLD 1.1.0 with Symbology Encoding into the style model, or reports all errors. */

import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { computeTextPosition } from '../../lib/text/text-position.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute } from '../../lib/xml/elements.ts';
import { expandInternalEntities } from '../../lib/xml/internal-entities.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { Complaints } from './document/complaints.ts';
import { findDeclaredVersion, findNearVersion, guessVersion, type SldVersion } from './document/sld-version.ts';
import { checkStructure } from './grammar/check-structure.ts';
import { quoteText } from './grammar/expected.ts';
import { readDescriptor } from './read/layer.ts';
import { findDescriptor } from './root.ts';
import { StreamingRuleReader } from './streaming-rule-reader.ts';

/** Styles nest about twenty levels, plus functions; a megabyte of rules has about fifty thousand nodes. */
export const sldLimits: DocumentLimits = { maxDepth: 200, maxNodes: 2_000_000 };

export interface SldReadResult {
  readonly version: SldVersion;
  /** Readonly by type only: freezing a hundred thousand records would take a twentieth of the reading time. */
  readonly model: StyledLayerDescriptor;
  /** Sentences with positions about tolerated deviations, up to a limit. */
  readonly warnings: readonly string[];
}

export interface SldReadingOptions {
  readonly limits?: DocumentLimits;
  /** Whether tolerable deviations are errors. */
  readonly strict?: boolean;
}

/** Throws `style-invalid` with every error of the document, or the XML error. */
export function readSld(text: string, { limits = sldLimits, strict = false }: SldReadingOptions = {}): SldReadResult {
  const rules = new StreamingRuleReader(strict);
  const expanded = strict ? { text } : expandInternalEntities(text);
  const written = readXml(expanded.text, limits, {
    markCdata: true,
    closed: (element, open) => rules.readClosedElement(element, open),
  });
  const complaints = new Complaints(written, strict);
  if (expanded.doctypeOffset !== undefined) {
    const position = computeTextPosition(text, expanded.doctypeOffset);
    complaints.warnUnlessStrict({ ...written, ...position }, 'the DOCTYPE is read for its entities only');
  }
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
  const version = near ?? guessVersion(root);
  complaints.warnUnlessStrict(root, `${problem}: it is read as ${version}`, problem);
  return version;
}
