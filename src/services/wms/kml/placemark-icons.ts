/** The icons of placemarks: addresses of legend images, or files of an archive. */

import { Readable } from 'node:stream';
import type { ZipEntry } from '../../../formats/writing/zip-stream.ts';
import type { IconResolver } from '../../../rendering/query/placemark-styler.ts';
import type { MapSettings } from '../../../rendering/request/map-settings.ts';
import { isInScale } from '../../../rendering/rules/style-plan.ts';
import type { Rule } from '../../../styling/model/model.ts';
import type { LayerToDraw } from '../../maps/open-layers.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import { getLegendGraphic } from '../legend/get-legend-graphic.ts';

const ICON_PIXELS = 32;

/** Points have the legend image of their rule, if both have a name. */
export function createIconAddresses(context: WmsContext, drawn: LayerToDraw | undefined): IconResolver {
  const style = drawn?.style.name;
  if (drawn === undefined || style === undefined) return () => undefined;
  return (rule) => {
    const name = findIconName(rule);
    if (name === undefined) return undefined;
    const query = new URLSearchParams({
      ...{ service: 'WMS', version: '1.1.1', request: 'GetLegendGraphic', format: 'image/png', transparent: 'true' },
      ...{ width: `${ICON_PIXELS}`, height: `${ICON_PIXELS}`, legend_options: 'forceLabels:off' },
      layer: formatMapName(context, drawn.layer),
      style,
      rule: name,
    });
    return `${context.address}?${query}`;
  };
}

/** Returns undefined for rules without points or without a name. */
function findIconName({ name, symbolizers }: Rule): string | undefined {
  return symbolizers.some(({ kind }) => kind === 'pointSymbolizer') ? name : undefined;
}

/** The maximum number of icons per layer; further points have the default icon. */
const MAX_ICONS = 200;

/** Puts the used icons into the archive, so that it works without the server. */
export async function packIcons(
  context: WmsContext,
  drawn: LayerToDraw | undefined,
  { scaleDenominator }: MapSettings,
  { prefix, icons }: { readonly prefix: string; readonly icons: ZipEntry[] },
): Promise<IconResolver> {
  const style = drawn?.style.name;
  if (drawn === undefined || style === undefined) return () => undefined;
  const rules = drawn.style.model.featureTypeStyles.flatMap((each) => each.rules);
  const inScale = rules.filter((rule) => isInScale(rule, scaleDenominator));
  const names = [...new Set(inScale.flatMap((rule) => findIconName(rule) ?? []))].slice(0, MAX_ICONS);
  const pictures = new Map<string, { readonly place: string; readonly bytes: Uint8Array; isPacked: boolean }>();
  // The catalog must not be read once the response has started.
  for (const [index, rule] of names.entries()) {
    const { body } = await getLegendGraphic(context, {
      ...{ kind: 'GetLegendGraphic', version: '1.1.1', format: 'image/png', isTransparent: true },
      ...{ width: ICON_PIXELS, height: ICON_PIXELS, options: new Map([['forcelabels', 'off']]) },
      layers: [formatMapName(context, drawn.layer)],
      styles: [style],
      rule,
    });
    if (body instanceof Uint8Array) {
      pictures.set(rule, { place: `${prefix}-${index + 1}.png`, bytes: body, isPacked: false });
    }
  }
  return (rule) => {
    const picture = pictures.get(findIconName(rule) ?? '');
    if (picture !== undefined && !picture.isPacked) {
      picture.isPacked = true;
      icons.push({ name: picture.place, content: () => Readable.from([picture.bytes]) });
    }
    return picture?.place;
  };
}
