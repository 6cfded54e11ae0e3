/** What a style refers to, and what it is called. */
import type { StyledLayerDescriptor } from './styled-layer-descriptor.ts';

/** The addresses of all pictures and shapes from elsewhere, each once, in the order of the document. */
export function listGraphicHrefs(model: StyledLayerDescriptor): readonly string[] {
  const hrefs = new Set<string>();
  collectHrefs(model, hrefs);
  return [...hrefs];
}

/** The name of the first style that is written out in the document. */
export function findFirstStyleName(model: StyledLayerDescriptor): string | undefined {
  for (const layer of model.layers) {
    for (const style of layer.styles) if (style.kind === 'userStyle' && style.name) return style.name;
  }
  return undefined;
}

/** The layers of the server that a document over several layers names, each once; what one layer is called is of no account. */
export function listNamedLayers({ layers }: StyledLayerDescriptor): readonly string[] {
  if (layers.length < 2) return [];
  return [...new Set(layers.flatMap((layer) => (layer.kind === 'namedLayer' ? layer.name : [])))];
}

function collectHrefs(part: object, hrefs: Set<string>): void {
  if ('kind' in part && part.kind === 'online' && 'href' in part && typeof part.href === 'string') hrefs.add(part.href);
  // What a document only carries refers to nothing that we draw.
  if ('kind' in part && part.kind === 'element') return;
  for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) collectHrefs(inner, hrefs);
}
