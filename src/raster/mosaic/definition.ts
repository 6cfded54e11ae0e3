/** The definition of a mosaic from the files in its folder: its coverages, its index and its value collectors. */
import type { Bounds } from '../../crs/bounds.ts';
import type { GranuleDomain, GranuleValueType } from '../granules/port/port.ts';

export interface MosaicDefinition {
  /** `Name`: the name of the coverage of images without coverage names; the name of the store if absent. */
  readonly name?: string;
  /** Whether the mosaic may be created without granules. */
  readonly canBeEmpty: boolean;
  /** Whether `location` in the index is an absolute path; else it is relative to the folder of the mosaic. */
  readonly isAbsolutePath: boolean;
  /** Matches file names without folders; `*` matches anything and `?` one character, ignoring case. */
  readonly wildcard: string;
  /** Whether subfolders are included. */
  readonly isRecursive: boolean;
  /** `MosaicCRS`: the known code of the CRS of the footprints; that of the first granule if absent. */
  readonly crs?: string;
  /** `Envelope2D`, in the CRS of the mosaic. */
  readonly envelope?: Bounds;
  /** `Schema` for coverages without their own; derived from the data if absent. */
  readonly schema?: readonly SchemaAttribute[];
  /** For coverages that do not declare domains. */
  readonly domains: readonly MosaicDomain[];
  /** The coverages in the indexer, which exclude all others. If empty, all coverages of the data. */
  readonly coverages: readonly CoverageDefinition[];
  readonly collectors: readonly Collector[];
  /** Extracts the coverage name of an image from its file name; `name` if absent. */
  readonly nameCollector?: RegexRule;
  readonly index: IndexRequest;
}

/** An axis of the coverage besides x and y, and its attributes in the index: one, or start and end. */
export type MosaicDomain = GranuleDomain;

/** An attribute of the index; the CRS of footprints is determined from the granules. */
export type SchemaAttribute =
  | { readonly role: 'footprint' | 'location' | 'imageindex'; readonly name: string }
  | { readonly role: 'value'; readonly name: string; readonly type: GranuleValueType };

export interface CoverageDefinition {
  readonly name: string;
  /** The name in the data, if it differs. */
  readonly originalName?: string;
  readonly schema?: readonly SchemaAttribute[];
  readonly domains?: readonly MosaicDomain[];
}

/** Extracts values from file names: all matches of the expression, with its groups concatenated if it has any. */
export interface RegexRule {
  readonly regex: string;
  /** Whether the path with slashes is matched; else the name without its extension. */
  readonly usesFullPath: boolean;
}

export const numberTypes = ['byte', 'short', 'integer', 'long', 'float', 'double'] as const;

/** The source of the values of some attributes. */
export type Collector = { readonly attributes: readonly string[] } & (
  | (RegexRule & {
      readonly kind: 'timestamp';
      /** A Java date pattern; any form of ISO 8601 if absent. */
      readonly format?: string;
      /** Whether the value is the end of the period: of its day, month or year. */
      readonly isHighTime: boolean;
    })
  | (RegexRule & { readonly kind: 'number'; readonly type: (typeof numberTypes)[number] })
  | (RegexRule & { readonly kind: 'string' })
  | { readonly kind: 'current-date' | 'file-date' | 'tiff-date' }
  | { readonly kind: 'resolution' | 'resolution-x' | 'resolution-y' | 'crs' }
);

/**
 * The requested location of the index. The PostGIS parameters are complete, including secrets: the caller must seal
 * them, check whether the principal may use the host, and not store the file.
 */
export type IndexRequest =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'postgis'; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'store'; readonly workspace?: string; readonly name: string };

export interface DefinitionResult {
  readonly definition: MosaicDefinition;
  /** A sentence for each option without effect. */
  readonly warnings: readonly string[];
}
