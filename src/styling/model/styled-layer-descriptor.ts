/** The whole of a style document: everything SLD 1.0, SLD 1.1 with Symbology Encoding, and CSS can say. */
import type { Description } from './description.ts';
import type { Layer } from './layer.ts';

export interface StyledLayerDescriptor extends Description {
  readonly kind: 'styledLayerDescriptor';
  readonly name?: string | undefined;
  /** Addresses of descriptors that named styles may come from; never an empty list. */
  readonly libraries?: readonly string[] | undefined;
  readonly layers: readonly Layer[];
}
