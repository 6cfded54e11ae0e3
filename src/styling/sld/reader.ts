/** Reads SLD 1.0.0 and SLD 1.1.0 with Symbology Encoding into the style model, or says everything that is wrong. */

import type { DocumentLimits } from '../../lib/document-limits.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { Complaints } from './complaints.ts';
import { checkStructure } from './grammar/check-structure.ts';
import { quoted } from './grammar/expected.ts';
import { isStyleNamespace, sldNamespace } from './namespaces.ts';
import { attribute } from './read/elements.ts';
import { readDescriptor } from './read/layer.ts';
import { declaredVersion, guessedVersion, type SldVersion } from './sld-version.ts';

/** Styles nest some twenty deep, and functions in them some more; a megabyte of rules has some fifty thousand nodes. */
export const sldLimits: DocumentLimits = { maxDepth: 200, maxNodes: 2_000_000 };

export interface ReadSld {
  readonly version: SldVersion;
  /** Nobody changes it, as its type says; freezing a hundred thousand records would be a twentieth of reading them. */
  readonly model: StyledLayerDescriptor;
}

/** Throws `style-invalid` with every error of the document, or what is wrong with it as XML. */
export function readSld(text: string, limits: DocumentLimits = sldLimits): ReadSld {
  const root = readXml(text, limits, { markCdata: true });
  const complaints = new Complaints(root);

  if (root.local !== 'StyledLayerDescriptor' || !isStyleNamespace(root.uri)) {
    const expected = isStyleNamespace(root.uri) ? '' : ` of the namespace ${sldNamespace}`;
    const found = expected === '' ? '' : ` of the namespace ${quoted(root.uri)}`;
    complaints.add(
      root,
      `the document is a ${quoted(root.name)}${found}, but a StyledLayerDescriptor${expected} was expected`,
    );
    throw complaints.toProblem();
  }
  const declared = declaredVersion(root);
  if (declared === undefined && attribute(root, 'version') !== undefined) {
    const found = quoted(attribute(root, 'version') ?? '');
    complaints.add(root, `the version is ${found}, but 1.0.0 or 1.1.0 was expected`);
  }

  const version = declared ?? guessedVersion(root);
  checkStructure(root, version, complaints);
  const model = readDescriptor({ complaints }, root);
  const problem = complaints.toProblem();
  if (problem !== undefined) throw problem;
  return { version, model };
}
