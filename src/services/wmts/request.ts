/** WMTS requests. */
export type WmtsRequest = GetCapabilities | GetTile | GetFeatureInfo;

export interface GetCapabilities {
  readonly kind: 'GetCapabilities';
  readonly updateSequence?: string | undefined;
}

export interface GetTile {
  readonly kind: 'GetTile';
  readonly layer: string;
  readonly style: string | undefined;
  readonly format: string;
  readonly set: string;
  readonly level: string;
  readonly row: string;
  readonly column: string;
}

/** A request for the features at a pixel of a tile. */
export interface GetFeatureInfo extends Omit<GetTile, 'kind'> {
  readonly kind: 'GetFeatureInfo';
  readonly infoFormat: string;
  readonly i: string;
  readonly j: string;
}

export const operationNames = ['GetCapabilities', 'GetTile', 'GetFeatureInfo'] as const;
