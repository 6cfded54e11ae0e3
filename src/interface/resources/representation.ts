/** The common parts of the documents of published resources. */

import { getResourceKind } from '../../catalog/kinds/any-resource.ts';
import {
  getBoundsCrs,
  projectionPolicies,
  type Resource,
  type ResourceIdentity,
} from '../../catalog/kinds/resource.ts';
import type { ResourceDraft } from '../../catalog/kinds/resource-draft.ts';
import type { Store } from '../../catalog/kinds/store.ts';
import { getStoreKind } from '../../catalog/kinds/stores.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { isNoCrs } from '../../crs/model/crs-code.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createTreeMapField } from '../../http/documents/tree-map-field.ts';
import type { ResourcePath } from '../../http/serialization/output-tree.ts';
import type { Workspace } from '../../records/workspace.ts';
import { boxField, type CrsRepresentation, choiceField, crsField, linksField, wordsField } from './fields.ts';
import { internationalField } from './text-fields.ts';

/** A resource with its store and workspace. */
interface ResourceWithStore<R extends ResourceIdentity> {
  readonly resource: R;
  readonly store: Store;
  readonly workspace: Workspace;
}

/** A resource with the CRS that it names, resolved. */
export interface ResourceRepresentation<R extends Resource = Resource> extends ResourceWithStore<R> {
  readonly nativeCrs: CrsRepresentation | undefined;
  /** CRS of the native box. */
  readonly boundsCrs: CrsRepresentation | undefined;
}

export async function toResourceRepresentation<R extends Resource>(
  placed: ResourceWithStore<R>,
): Promise<ResourceRepresentation<R>> {
  const { resource, store, workspace } = placed;
  return {
    resource,
    store,
    workspace,
    nativeCrs: await toCrsRepresentation(resource.nativeCrs, 'wkt'),
    boundsCrs: await toCrsRepresentation(getBoundsCrs(resource), 'code'),
  };
}

async function toCrsRepresentation(
  reference: CrsReference,
  preferred: 'wkt' | 'code',
): Promise<CrsRepresentation | undefined> {
  const definition = await resolveCrs(reference);
  const wkt = definition?.wkt ?? reference.wkt;
  const code = definition?.code ?? reference.code;
  const text = preferred === 'wkt' ? (wkt ?? code) : (code ?? wkt);
  return text === undefined ? undefined : { text, kind: definition?.kind ?? 'other' };
}

export function getStorePath({
  store,
  workspace,
}: Pick<ResourceWithStore<Resource>, 'store' | 'workspace'>): ResourcePath {
  return ['workspaces', workspace.name, getStoreKind(store).collection, store.name];
}

export function getResourcePath(placed: ResourceWithStore<ResourceIdentity>): ResourcePath {
  const { resource } = placed;
  return [...getStorePath(placed), getResourceKind(resource).collection, resource.name];
}

/** The fields of every resource, followed by those of its kind. `metadata` describes the metadata field. */
export function createResourceFields<S extends ResourceRepresentation>(metadata: string) {
  const { text, flag, reference } = createFieldBuilders<S>();
  return {
    name: text(({ resource }) => resource.name, {
      description: 'Must be unique in the workspace; also the name of the layer.',
    }),
    nativeName: text(({ resource }) => resource.nativeName, {
      description: 'Name in the data.',
      example: 'streets',
    }),
    alias: text(({ resource }) => resource.alias ?? undefined, { description: 'Alternative name of the layer.' }),
    namespace: reference(({ workspace }) => ({ name: workspace.name, path: ['namespaces', workspace.name] })),
    title: text(({ resource }) => resource.title ?? undefined, { example: 'Streets' }),
    description: text(({ resource }) => resource.description ?? undefined),
    abstract: text(({ resource }) => resource.abstract ?? undefined),
    keywords: wordsField(({ resource }: S) => resource.keywords),
    metadataLinks: linksField('metadataLink', ({ resource }: S) => resource.metadataLinks),
    dataLinks: linksField('dataLink', ({ resource }: S) => resource.dataLinks),
    nativeCRS: crsField(({ nativeCrs }: S) => nativeCrs),
    srs: text(({ resource }) => resource.srs ?? undefined, {
      description: 'Declared CRS code.',
      example: 'EPSG:4326',
    }),
    nativeBoundingBox: boxField((shown: S) => ({ bounds: shown.resource.nativeBounds, crs: shown.boundsCrs })),
    latLonBoundingBox: boxField(({ resource }: S) => ({
      bounds: resource.latLonBounds,
      crs: { text: 'EPSG:4326', kind: 'geographic' },
    })),
    projectionPolicy: choiceField(projectionPolicies, ({ resource }: S) => resource.projectionPolicy),
    enabled: flag(({ resource }) => resource.enabled),
    advertised: flag(({ resource }) => resource.advertised),
    metadata: createTreeMapField(({ resource }: S) => resource.metadata, { description: metadata }),
    store: reference((shown) => ({
      name: `${shown.workspace.name}:${shown.store.name}`,
      path: getStorePath(shown),
      attributes: { class: shown.store.kind },
    })),
    serviceConfiguration: flag(({ resource }) => resource.serviceConfiguration),
    disabledServices: wordsField(({ resource }: S) => resource.disabledServices),
    simpleConversionEnabled: flag(({ resource }) => resource.simpleConversionEnabled),
    internationalTitle: internationalField(({ resource }: S) => resource.internationalTitle),
    internationalAbstract: internationalField(({ resource }: S) => resource.internationalAbstract),
  };
}

/** Converts a parsed document to a catalog record. */
export function toCatalogDraft<
  D extends {
    readonly srs?: string | null;
    readonly nativeBoundingBox?: Bounds | null;
    readonly latLonBoundingBox?: Bounds | null;
  },
>(read: D): Omit<D, 'nativeBoundingBox' | 'latLonBoundingBox'> & Pick<ResourceDraft, 'nativeBounds' | 'latLonBounds'> {
  const { nativeBoundingBox, latLonBoundingBox, ...draft } = read;
  return {
    ...draft,
    ...(isNoCrs(read.srs) ? { srs: null } : {}),
    ...(nativeBoundingBox === undefined ? {} : { nativeBounds: nativeBoundingBox }),
    ...(latLonBoundingBox === undefined ? {} : { latLonBounds: latLonBoundingBox }),
  };
}
