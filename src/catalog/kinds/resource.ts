/** What all published resources have in common, whatever data they show: they live in a store, and layers live in them. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { ValueTree } from '../../lib/values/value-tree.ts';
import type { RecordBase } from '../../records/record.ts';
import type { LinkedKind } from '../../records/references.ts';
import type { ValueRange } from '../../storage/port/port.ts';
import type { BuiltInName } from '../../styling/built-in/built-in-names.ts';

export const projectionPolicies = ['FORCE_DECLARED', 'REPROJECT_TO_DECLARED', 'NONE'] as const;
export type ProjectionPolicy = (typeof projectionPolicies)[number];

/** Where more is told of the data, or the data itself is found. */
export interface ResourceLink {
  /** The media type of what is there. */
  readonly type: string | null;
  /** The standard it follows, such as `ISO19115:2003`. */
  readonly metadataType: string | null;
  /** The address. */
  readonly content: string | null;
  /** What it is about. */
  readonly about?: string;
}

/** What others keep with a resource by key: text, or trees of which we know a few. */
export type Metadata = Readonly<Record<string, ValueTree>>;

/** Text by language. */
export type InternationalText = Readonly<Record<string, string>>;

/** Settings that every data service reads of every resource, kept as given. */
export interface ResourceSettings {
  /** Another name of the layer. */
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
  /** The workspace its store lives in: names are unique there, whatever the store and the kind. */
  readonly workspace: string;
  /** The name in the data. */
  readonly nativeName: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly abstract: string | null;
  readonly keywords: readonly string[];
  readonly metadataLinks: readonly ResourceLink[];
  readonly dataLinks: readonly ResourceLink[];
  /** The CRS of the data, as the data says. */
  readonly nativeCrs: CrsReference;
  /** The CRS that clients are told. */
  readonly srs: string | null;
  readonly projectionPolicy: ProjectionPolicy;
  /** In the CRS that `boundsCrs` tells. */
  readonly nativeBounds: Bounds | null;
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
  readonly enabled: boolean;
  readonly advertised: boolean;
  readonly metadata: Metadata;
}

export interface ResourceKind<R extends Resource = Resource> extends LinkedKind<R> {
  /** The collection that addresses have them in: `featuretypes`. */
  readonly collection: string;
  /** What layers say they show: `VECTOR`. */
  readonly layerType: string;
  /** The style of a layer for which nobody has chosen one; null for what cannot be drawn. */
  readonly selectDefaultStyle: (resource: R) => BuiltInName | null;
  /** What is said when another resource wants the name of one of these. */
  readonly createNameTakenProblem: (details: { readonly name: string; readonly workspace: string }) => Problem;
  /** What is said when one of these cannot be deleted because of others. */
  readonly createInUseProblem: (details: { readonly name: string; readonly blockers: readonly string[] }) => Problem;
}

/** A kind of resource among others. Right as long as what is written with it was read with it. */
export function toAnyResourceKind<R extends Resource>(kind: ResourceKind<R>): ResourceKind {
  return kind as unknown as ResourceKind;
}

/** What coordinates are in: what the declaration says if it is to be believed, else what the data says. */
export function getBoundsCrs(resource: Pick<Resource, 'srs' | 'nativeCrs' | 'projectionPolicy'>): CrsReference {
  const isNative = resource.projectionPolicy !== 'FORCE_DECLARED' && Object.keys(resource.nativeCrs).length > 0;
  return resource.srs === null || isNative ? resource.nativeCrs : { code: resource.srs };
}

/** The keys that every kind of resource has. */
export const resourceKeys = {
  qualifiedName: ({ workspace, name }: Pick<Resource, 'workspace' | 'name'>) => [formatQualifiedKey(workspace, name)],
};

/** The keys of all names within a workspace, or of a page of them. */
export function createQualifiedKeyRange(workspaceId: string, { after, limit }: Page = {}): ValueRange {
  return {
    from: `${workspaceId}/`,
    // A zero is the character after the slash.
    before: `${workspaceId}0`,
    ...(after === undefined ? {} : { after: formatQualifiedKey(workspaceId, after) }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** The id of the workspace and the name that a key is made of. */
export function splitQualifiedKey(key: string): readonly [workspaceId: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** The key of a name within a workspace. */
export function formatQualifiedKey(workspaceId: string, name: string): string {
  return `${workspaceId}/${name}`;
}
