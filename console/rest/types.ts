/** The documents that pages read. Only the members that the console uses. */

export interface LayerEntry {
  readonly name: string;
  readonly title?: string;
  readonly type?: string;
  readonly workspace?: string;
  readonly store?: string;
  readonly defaultStyle?: string;
  readonly enabled?: boolean;
  /** What users without credentials get. */
  readonly access?: VisitorAccess;
}

export type VisitorAccess = 'public' | 'limited' | 'restricted' | 'hidden';

/** An empty list is an empty text. */
export interface LayerList {
  readonly layers: '' | { readonly layer: readonly LayerEntry[] };
}

export interface LayerDocument {
  readonly layer: {
    readonly name: string;
    readonly type: string;
    readonly enabled?: boolean;
    readonly defaultStyle?: { readonly name: string };
    /** Undefined for users without the right to read the configuration. */
    readonly resource: { readonly name: string; readonly href: string; readonly '@class': string } | undefined;
    readonly dateModified?: string;
    readonly dateCreated?: string;
  };
}

export interface BoundingBox {
  readonly minx: number;
  readonly miny: number;
  readonly maxx: number;
  readonly maxy: number;
}

/** A feature type, coverage or remote layer. */
export interface ResourceDocument {
  readonly name: string;
  readonly title?: string;
  readonly abstract?: string;
  readonly srs?: string;
  readonly nativeFormat?: string;
  readonly enabled?: boolean;
  readonly store?: { readonly name: string };
  readonly keywords?: { readonly string: string | readonly string[] };
  readonly latLonBoundingBox?: BoundingBox;
  readonly attributes?: { readonly attribute?: AttributeEntry | readonly AttributeEntry[] };
  readonly metadata?: { readonly entry?: MetadataEntry | readonly MetadataEntry[] };
}

/** An attribute of a feature type; the binding is a Java class. */
export interface AttributeEntry {
  readonly name: string;
  readonly binding?: string;
}

export interface MetadataEntry {
  readonly '@key': string;
  readonly dimensionInfo?: DimensionInfo;
}

export interface DimensionInfo {
  readonly enabled?: boolean;
  readonly attribute?: string;
  readonly endAttribute?: string;
  readonly presentation?: string;
  readonly resolution?: number;
  readonly units?: string;
  readonly nearestMatchEnabled?: boolean;
  readonly defaultValue?: { readonly strategy?: string; readonly referenceValue?: string };
}

export interface Diagnosis {
  readonly healthy: boolean;
  readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly message: string }[];
  readonly problems: readonly { readonly path: string | null; readonly code: string; readonly message: string }[];
}

/** Each sign-in to the console creates a token, which is a change. */
export const SIGN_IN_KIND = 'apiToken';

export interface HistoryDocument {
  readonly changes: readonly ChangeEntry[];
}

export interface ChangeEntry {
  /** The number of the change. */
  readonly sequence: number;
  readonly at: string;
  readonly who: string;
  readonly what: string;
}
