/** Lists the references of a style, and finds its name. */
import type { StyledLayerDescriptor } from './styled-layer-descriptor.ts';

/** Returns the addresses of all external pictures and shapes without duplicates, in document order. */
export function listGraphicHrefs(model: StyledLayerDescriptor): readonly string[] {
  const hrefs = new Set<string>();
  collectHrefs(model, hrefs);
  return [...hrefs];
}

/** Returns the name of the first user style in the document. */
export function findFirstStyleName(model: StyledLayerDescriptor): string | undefined {
  for (const layer of model.layers) {
    for (const style of layer.styles) if (style.kind === 'userStyle' && style.name) return style.name;
  }
  return undefined;
}

/**
 * Returns the server layers that a document with several layers names, without duplicates. The name of a single layer
 * is irrelevant.
 */
export function listNamedLayers({ layers }: StyledLayerDescriptor): readonly string[] {
  if (layers.length < 2) return [];
  return [...new Set(layers.flatMap((layer) => (layer.kind === 'namedLayer' ? layer.name : [])))];
}

function collectHrefs(part: object, hrefs: Set<string>): void {
  if ('kind' in part && part.kind === 'online' && 'href' in part && typeof part.href === 'string') hrefs.add(part.href);
  // References in foreign elements are not drawn.
  if ('kind' in part && part.kind === 'element') return;
  for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) collectHrefs(inner, hrefs);
}
