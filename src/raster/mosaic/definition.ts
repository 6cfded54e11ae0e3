/** What the files of a mosaic's folder say about it: its coverages, its index, and where values come from. */
import type { Bounds } from '../../crs/bounds.ts';
import type { GranuleDomain, GranuleValueType } from '../granules/port/port.ts';

export interface MosaicDefinition {
  /** `Name`: what the coverage of pictures without coverages of their own is called; the store's name if absent. */
  readonly name?: string;
  /** Whether the mosaic may be made before there is anything in it. */
  readonly canBeEmpty: boolean;
  /** Whether what the index calls `location` is the whole path; else it is relative to the mosaic's folder. */
  readonly isAbsolutePath: boolean;
  /** Of file names without their folders; `*` stands for anything and `?` for one character, capitals do not count. */
  readonly wildcard: string;
  /** Whether folders in the folder are looked into. */
  readonly isRecursive: boolean;
  /** `MosaicCRS`: the system of the footprints; that of the first granule if absent. A code that is known. */
  readonly crs?: string;
  /** `Envelope2D`, in the system of the mosaic. */
  readonly envelope?: Bounds;
  /** `Schema`: of coverages that have none of their own; one is made up from the data if absent. */
  readonly schema?: readonly SchemaAttribute[];
  /** Of coverages that say nothing about it themselves. */
  readonly domains: readonly MosaicDomain[];
  /** Those that the indexer lists; then there are no others. Any that the data has, if empty. */
  readonly coverages: readonly CoverageDefinition[];
  readonly collectors: readonly Collector[];
  /** What the coverage of a picture is called, out of its file name; `name` if absent. */
  readonly nameCollector?: RegexRule;
  readonly index: IndexRequest;
}

/** An axis of the coverage beside x and y, and which attributes of the index have its values: one, or start and end. */
export type MosaicDomain = GranuleDomain;

/** An attribute of the index; in which system footprints are is found out from the granules. */
export type SchemaAttribute =
  | { readonly role: 'footprint' | 'location' | 'imageindex'; readonly name: string }
  | { readonly role: 'value'; readonly name: string; readonly type: GranuleValueType };

export interface CoverageDefinition {
  readonly name: string;
  /** What the data calls it, where that is not its name. */
  readonly originalName?: string;
  readonly schema?: readonly SchemaAttribute[];
  readonly domains?: readonly MosaicDomain[];
}

/** How values get out of file names: those that the expression finds, its groups put together if it has any. */
export interface RegexRule {
  readonly regex: string;
  /** Whether folders count too, with slashes; else the name without its ending. */
  readonly usesFullPath: boolean;
}

export const numberTypes = ['byte', 'short', 'integer', 'long', 'float', 'double'] as const;

/** Where the values of some attributes come from. */
export type Collector = { readonly attributes: readonly string[] } & (
  | (RegexRule & {
      readonly kind: 'timestamp';
      /** As Java writes date patterns; ISO 8601 in any of its forms if absent. */
      readonly format?: string;
      /** Whether the last moment of what is written is meant: of its day, its month, its year. */
      readonly isHighTime: boolean;
    })
  | (RegexRule & { readonly kind: 'number'; readonly type: (typeof numberTypes)[number] })
  | (RegexRule & { readonly kind: 'string' })
  | { readonly kind: 'current-date' | 'file-date' | 'tiff-date' }
  | { readonly kind: 'resolution' | 'resolution-x' | 'resolution-y' | 'crs' }
);

/**
 * Where the index is asked to be. The parameters of PostGIS are complete, secrets included: whoever keeps them seals them,
 * asks whether this principal may use that host, and does not keep the file they came in.
 */
export type IndexRequest =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'postgis'; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'store'; readonly workspace?: string; readonly name: string };

export interface DefinitionResult {
  readonly definition: MosaicDefinition;
  /** What is understood to be without effect here, a sentence each. */
  readonly warnings: readonly string[];
}
