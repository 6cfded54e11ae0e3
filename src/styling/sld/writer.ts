/** Writes the style model as SLD 1.0.0, or as SLD 1.1.0 with Symbology Encoding. */
import { problem } from '../../lib/problems/problem.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import type { SldVersion } from './document/sld-version.ts';
import { writeDescriptor } from './write/layer.ts';
import { printXml } from './write/print.ts';
import { SldWriteContext } from './write/write-context.ts';

/**
 * Returns the document in its canonical form. Throws `style-not-convertible` with everything that the version cannot
 * express.
 */
export function writeSld(model: StyledLayerDescriptor, version: SldVersion): string {
  const writing = new SldWriteContext(version);
  const root = writeDescriptor(writing, model);
  if (writing.losses.length > 0) throw problem('style-not-convertible', { version, complaints: writing.losses });
  return printXml(root);
}
