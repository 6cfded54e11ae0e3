/** Lists the references of a style, and finds its name. */
import type { Expression } from '../../filter/model/expression.ts';
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

/** Returns the path of a mark from a file, such as `file://symbols/tree.svg`; undefined for other names. */
export function findMarkHref(name: unknown): string | undefined {
  const written = name as Expression | undefined;
  const [, path] = (written?.kind === 'literal' && /^\s*file:\/\/(.+)$/is.exec(written.value)) || [];
  return path?.trim();
}

function collectHrefs(part: object, hrefs: Set<string>): void {
  if ('kind' in part && part.kind === 'online' && 'href' in part && typeof part.href === 'string') hrefs.add(part.href);
  const markHref =
    'kind' in part && part.kind === 'mark' && 'wellKnownName' in part ? findMarkHref(part.wellKnownName) : undefined;
  if (markHref !== undefined) hrefs.add(markHref);
  // References in foreign elements are not drawn.
  if ('kind' in part && part.kind === 'element') return;
  for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) collectHrefs(inner, hrefs);
}
