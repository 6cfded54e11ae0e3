/** The common base of published resources: each belongs to a store and has layers. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { ZoomRange } from '../../lib/tile-archive/zoom-range.ts';
import type { ValueTree } from '../../lib/values/value-tree.ts';
import type { RecordBase } from '../../records/record.ts';
import type { LinkedKind } from '../../records/references.ts';
import type { ValueRange } from '../../storage/port/port.ts';
import type { BuiltInName } from '../../styling/built-in/built-in-names.ts';
import { listUnverifiedKeys, type Unverified } from './unverified.ts';

/** What paths and references need of a resource; a hundred thousand of them fit in little memory. */
export type ResourceIdentity = Pick<Resource, 'id' | 'kind' | 'name' | 'parent'>;

export const projectionPolicies = ['FORCE_DECLARED', 'REPROJECT_TO_DECLARED', 'NONE'] as const;
export type ProjectionPolicy = (typeof projectionPolicies)[number];

/** A link to metadata or data. */
export interface ResourceLink {
  /** The media type of the target. */
  readonly type: string | null;
  /** The metadata standard, such as `ISO19115:2003`. */
  readonly metadataType: string | null;
  /** The URL. */
  readonly content: string | null;
  /** The subject of the link. */
  readonly about?: string;
}

/** Metadata by key: text or trees, most of which the server only stores. */
export type Metadata = Readonly<Record<string, ValueTree>>;

/** Text by language. */
export type InternationalText = Readonly<Record<string, string>>;

/** Service settings of every resource; stored as sent. */
export interface ResourceSettings {
  /** An alternative name of the layer. */
  readonly alias: string | null;
  readonly serviceConfiguration: boolean;
  readonly disabledServices: readonly string[];
  readonly simpleConversionEnabled: boolean;
  readonly internationalTitle: InternationalText | null;
  readonly internationalAbstract: InternationalText | null;
}

export const defaultResourceSettings: ResourceSettings = {
  alias: null,
  serviceConfiguration: false,
  disabledServices: [],
  simpleConversionEnabled: false,
  internationalTitle: null,
  internationalAbstract: null,
};

export interface Resource extends RecordBase, ResourceSettings {
  readonly kind: string;
  /** The workspace of its store: resource names are unique there across stores and kinds. */
  readonly workspace: string;
  /** The name in the data. */
  readonly nativeName: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly abstract: string | null;
  readonly keywords: readonly string[];
  readonly metadataLinks: readonly ResourceLink[];
  readonly dataLinks: readonly ResourceLink[];
  /** The CRS that the data declares. */
  readonly nativeCrs: CrsReference;
  /** The published CRS. */
  readonly srs: string | null;
  readonly projectionPolicy: ProjectionPolicy;
  /** In the CRS that `getBoundsCrs` returns. */
  readonly nativeBounds: Bounds | null;
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
  /** The zooms of the stored tiles; undefined unless the data is a tile archive. */
  readonly tileZooms?: ZoomRange | undefined;
  readonly enabled: boolean;
  readonly advertised: boolean;
  readonly metadata: Metadata;
  /** Set for a resource that was stored without verification; its fields are those of the client. */
  readonly unverified?: Unverified;
}

export interface ResourceKind<R extends Resource = Resource> extends LinkedKind<R> {
  /** The collection segment in URLs: `featuretypes`. */
  readonly collection: string;
  /** The type of its layers: `VECTOR`. */
  readonly layerType: string;
  /** Returns the default style of a layer; null for data that cannot be drawn. */
  readonly selectDefaultStyle: (resource: R) => BuiltInName | null;
  /** The problem for a name that one of these resources already has. */
  readonly createNameTakenProblem: (details: { readonly name: string; readonly workspace: string }) => Problem;
  /** The problem for a deletion that references block. */
  readonly createInUseProblem: (details: { readonly name: string; readonly blockers: readonly string[] }) => Problem;
}

/** Widens the kind. Safe as long as records are written with the kind that they were read with. */
export function toAnyResourceKind<R extends Resource>(kind: ResourceKind<R>): ResourceKind {
  return kind as unknown as ResourceKind;
}

/**
 * Returns the CRS of the coordinates: the declared one if the projection policy says so, otherwise that of the data.
 */
export function getBoundsCrs(resource: Pick<Resource, 'srs' | 'nativeCrs' | 'projectionPolicy'>): CrsReference {
  const isNative = resource.projectionPolicy !== 'FORCE_DECLARED' && Object.keys(resource.nativeCrs).length > 0;
  return resource.srs === null || isNative ? resource.nativeCrs : { code: resource.srs };
}

/** The keys of every resource kind, and of layers. */
export const resourceKeys = {
  qualifiedName: ({ workspace, name }: Pick<Resource, 'workspace' | 'name'>) => [formatQualifiedKey(workspace, name)],
};

/** The keys of resources whose data may be unverified. */
export const publishedKeys = { ...resourceKeys, unverified: listUnverifiedKeys, title: listTitleKeys };

/** Longer titles are found by their beginning. */
const MAX_TITLE_KEY_LENGTH = 200;

/** A title that differs from the name, for searches: the qualified name and the title, separated by a line break. */
function listTitleKeys({ workspace, name, title }: Pick<Resource, 'workspace' | 'name' | 'title'>): readonly string[] {
  if (title === null || title === name) return [];
  // Keys are stored unchanged, which some characters are not.
  const storable = title.slice(0, MAX_TITLE_KEY_LENGTH).toWellFormed().replaceAll('\0', ' ');
  return [`${formatQualifiedKey(workspace, name)}\n${storable}`];
}

/** Splits a key of a title into the qualified key and the title. */
export function splitTitleKey(key: string): readonly [qualifiedKey: string, title: string] {
  const end = key.indexOf('\n');
  return [key.slice(0, end), key.slice(end + 1)];
}

/** Returns the key range of all names in a workspace, or of a page of them. */
export function createQualifiedKeyRange(workspaceId: string, { after, limit }: Page = {}): ValueRange {
  return {
    from: `${workspaceId}/`,
    // In ASCII, `0` follows the slash.
    before: `${workspaceId}0`,
    ...(after === undefined ? {} : { after: formatQualifiedKey(workspaceId, after) }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Splits a key into the id of the workspace and the name. */
export function splitQualifiedKey(key: string): readonly [workspaceId: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** Returns the key of a name in a workspace. */
export function formatQualifiedKey(workspaceId: string, name: string): string {
  return `${workspaceId}/${name}`;
}
