/** Loads layouts, and the pictures that they draw. */
import { LAYOUTS, templateKind } from '../../../catalog/kinds/template.ts';
import { createGraphicLoader } from '../../../catalog/styles/draw-style.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { classifyHref } from '../../../styling/graphics/classify-href.ts';
import { type Layout, readLayout } from '../../../styling/layout/read-layout.ts';
import type { GraphicLoader } from '../../../styling/legend/images/pictures.ts';
import type { MapServices } from '../../maps/map-services.ts';

/** The number of layouts in an error message. */
const MAX_LISTED_LAYOUTS = 20;

export async function loadLayout(services: MapServices, name: string): Promise<Layout> {
  const bytes = await readLayoutFile(services, `${name}.xml`);
  if (bytes !== undefined) return readLayout(bytes);
  const names = await services.catalog.listNames(templateKind, null);
  const layouts = names
    .filter((each) => each.startsWith(LAYOUTS) && each.endsWith('.xml'))
    .map((each) => each.slice(LAYOUTS.length, -'.xml'.length));
  throw problem('wms-layout-unknown', {
    layout: name,
    layouts: layouts.sort().slice(0, MAX_LISTED_LAYOUTS),
    field: 'format_options',
  });
}

/** Loads files of the folder `layouts`, images of the global style folder, and addresses that URL checks allow. */
export function createDecorationLoader(services: MapServices): GraphicLoader {
  const loadStyleGraphic = createGraphicLoader(services.catalog, services.styles, null);
  return async (written) => {
    const href = written.trim().replace(/^file:(?!\/)/i, '');
    const reference = classifyHref(href);
    if (reference?.kind !== 'local') return loadStyleGraphic(href);
    const { path } = reference;
    const own = path.startsWith('styles/') ? undefined : await readLayoutFile(services, path.replace(/^layouts\//, ''));
    return own ?? loadStyleGraphic(path.replace(/^styles\//, ''));
  };
}

async function readLayoutFile(
  { catalog, styles }: Pick<MapServices, 'catalog' | 'styles'>,
  path: string,
): Promise<Uint8Array | undefined> {
  const file = await catalog.find(templateKind, null, `${LAYOUTS}${path}`);
  return file && styles.contents.read(file.content);
}
