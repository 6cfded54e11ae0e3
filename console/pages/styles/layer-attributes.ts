/** The attributes of a layer, or the bands of a raster, from the classification service: it reads what maps read. */
import { type RestResult, useRest } from '../../rest/cache.ts';
import { rest } from '../../rest/client.ts';

export interface LayerAttribute {
  readonly name: string;
  /** Such as `Integer` or `MultiPolygon`. */
  readonly type: string;
}

interface AttributesDocument {
  readonly Attributes: { readonly Attribute?: LayerAttribute | readonly LayerAttribute[] };
}

/** Undefined until they are read. */
export function useLayerAttributes(layer: string | undefined): {
  readonly read: RestResult<AttributesDocument>;
  readonly attributes: readonly LayerAttribute[] | undefined;
} {
  const read = useRest<AttributesDocument>(
    layer === undefined ? undefined : rest`/sldservice/${layer}/attributes.json`,
  );
  const listed = read.data?.body.Attributes.Attribute;
  return { read, attributes: read.data === undefined ? undefined : [listed ?? []].flat() };
}
