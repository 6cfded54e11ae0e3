/** The documents of the tile administration. */

export interface QuotaDocument {
  readonly gwcQuotaConfiguration: {
    readonly globalQuota: { readonly bytes: number };
    readonly globalUsage: { readonly bytes: number; readonly tiles: number };
  };
}

export interface TileLayer {
  readonly enabled: boolean;
  readonly name: string;
  readonly mimeFormats: readonly string[];
  readonly gridSubsets: readonly { readonly gridSetName: string }[];
  readonly metaWidthHeight: readonly number[];
  readonly expireCache: number;
  readonly gutter: number;
}

export interface TileLayerDocument {
  readonly GeoServerLayer: TileLayer;
}

/** For each job: the tiles done, all tiles, the seconds left, its number, and 0 (waiting) or 1 (running). */
export interface JobsDocument {
  readonly 'long-array-array': readonly (readonly [number, number, number, number, number])[];
}
