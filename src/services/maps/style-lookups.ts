/** Functions of styles that read other layers: they are replaced by values before a map is drawn. */
import { isLookupName } from '../../filter/lookup/lookup-calls.ts';
import { LookupError } from '../../filter/lookup/lookup-error.ts';
import { problem } from '../../lib/problems/problem.ts';
import { bindVariables } from '../../rendering/rules/bind-style.ts';
import { listContentsInTurns } from '../../rendering/rules/part-contents.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import { openType } from '../access/open-type.ts';
import { replaceOtherLayers } from '../access/other-layers.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { MapServices } from './map-services.ts';
import type { ReadyStyle } from './style-models.ts';

/** The variables of the request, which arguments can use. */
export type Variables = Readonly<Record<string, string>>;

/** Returns whether the style reads layers other than the drawn one. */
export async function readsOtherLayers(model: UserStyle): Promise<boolean> {
  const { functions } = await listContentsInTurns(model);
  return [...functions].some(isLookupName);
}

/** Throws a Problem for invalid calls, and for layers that are unknown or hidden. */
export async function replaceStyleLookups(
  { vectorData }: Pick<MapServices, 'vectorData'>,
  { layer, style }: { readonly layer: MapLayer; readonly style: ReadyStyle },
  variables: Variables,
  signal: AbortSignal,
): Promise<UserStyle> {
  const { model, name = 'that was sent' } = style;
  if (!(await readsOtherLayers(model))) return model;
  try {
    return await replaceOtherLayers(model, {
      others: layer.others,
      crs: layer.boundsCrs,
      openType: (other) => openType(vectorData, other, signal),
      bindVariables: (call) => bindVariables(call, variables),
    });
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    const reason = `its style '${name}' is invalid: ${error.message}`;
    throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason, field: 'styles' });
  }
}
