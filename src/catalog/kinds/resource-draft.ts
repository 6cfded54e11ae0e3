/**
 * The resource fields that a client can set (an absent field stays unchanged, null clears it), and how they are merged.
 */
import type { Bounds } from '../../crs/bounds.ts';
import { matchWkt } from '../../crs/match-wkt.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { Metadata, ProjectionPolicy, Resource, ResourceLink, ResourceSettings } from './resource.ts';
import type { Store } from './store.ts';

export type ResourceDraft = {
  readonly name?: string | null;
  readonly nativeName?: string | null;
  readonly namespace?: string | null;
  readonly store?: string | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly abstract?: string | null;
  readonly keywords?: readonly string[] | null;
  readonly metadataLinks?: readonly ResourceLink[] | null;
  readonly dataLinks?: readonly ResourceLink[] | null;
  /** The CRS of the data as WKT or a code; only used for resources that are stored without verification. */
  readonly nativeCRS?: string | null;
  readonly srs?: string | null;
  readonly projectionPolicy?: ProjectionPolicy | null;
  readonly nativeBounds?: Bounds | null;
  readonly latLonBounds?: Bounds | null;
  readonly enabled?: boolean | null;
  readonly advertised?: boolean | null;
  readonly metadata?: Metadata | null;
} & SettingsDraft<ResourceSettings>;

export type SettingsDraft<S> = { readonly [Setting in keyof S]?: S[Setting] | null };

/** The fields of a resource that do not depend on its data. */
export type ResourceFields = Pick<
  Resource,
  | 'title'
  | 'description'
  | 'abstract'
  | 'keywords'
  | 'metadataLinks'
  | 'dataLinks'
  | 'projectionPolicy'
  | 'enabled'
  | 'advertised'
  | 'metadata'
>;

/** Creates the fields of a new resource; `keyword` states its kind. */
export function createResourceFields(draft: ResourceDraft, name: string, keyword: string): ResourceFields {
  return {
    title: draft.title ?? name,
    description: draft.description ?? null,
    abstract: draft.abstract ?? null,
    keywords: draft.keywords ?? [keyword, name],
    metadataLinks: draft.metadataLinks ?? [],
    dataLinks: draft.dataLinks ?? [],
    projectionPolicy: draft.projectionPolicy ?? 'FORCE_DECLARED',
    enabled: draft.enabled ?? true,
    advertised: draft.advertised ?? true,
    metadata: draft.metadata ?? {},
  };
}

export function mergeResourceFields(current: ResourceFields, draft: ResourceDraft): ResourceFields {
  return {
    title: mergeValue(draft.title, current.title),
    description: mergeValue(draft.description, current.description),
    abstract: mergeValue(draft.abstract, current.abstract),
    keywords: mergeValue(draft.keywords, current.keywords) ?? [],
    metadataLinks: mergeValue(draft.metadataLinks, current.metadataLinks) ?? [],
    dataLinks: mergeValue(draft.dataLinks, current.dataLinks) ?? [],
    projectionPolicy: draft.projectionPolicy ?? current.projectionPolicy,
    enabled: draft.enabled ?? current.enabled,
    advertised: draft.advertised ?? current.advertised,
    metadata: mergeValue(draft.metadata, current.metadata) ?? {},
  };
}

/** Returns the sent value, or the current one if none was sent; null clears. */
export function mergeValue<V>(sent: V | null | undefined, current: V | null): V | null {
  return sent === undefined ? current : sent;
}

/** Merges service settings: the sent value, or the current one if none was sent; null restores the initial value. */
export function mergeSettings<S extends object>(draft: SettingsDraft<NoInfer<S>>, current: NoInfer<S>, initial: S): S {
  const entries = Object.entries(initial).map(([name, fallback]) => {
    const setting = name as keyof S;
    const sent = draft[setting];
    // A setting that the storing version did not have takes its initial value.
    return [setting, sent === undefined ? (current[setting] ?? fallback) : (sent ?? fallback)];
  });
  return Object.fromEntries(entries) as S;
}

/** Rejects a document whose store differs from the path: documents cannot move a resource. */
export function checkSameStore(
  { workspace, store }: { readonly workspace: Workspace; readonly store: Store },
  draft: Pick<ResourceDraft, 'namespace' | 'store'>,
): void {
  if (draft.namespace != null && draft.namespace !== workspace.name) {
    throw problem('workspace-mismatch', { what: 'workspace', path: workspace.name, document: draft.namespace });
  }
  const [named, owner] = (draft.store ?? store.name).split(':').toReversed();
  if (named !== store.name || (owner !== undefined && owner !== workspace.name)) {
    throw problem('workspace-mismatch', { what: 'store', path: store.name, document: draft.store ?? '' });
  }
}

/** Normalizes the reference system that a client sends to the stored spelling. */
export async function resolveSrs(text: string, field: string): Promise<string> {
  const code = (await findCrs(text))?.code;
  if (code === undefined) {
    throw problem('srs-unknown', { srs: formatPrintableName(text), field });
  }
  return code;
}

/** Returns the CRS that a client states for data that cannot be read; empty if the text is unknown. */
export async function resolveStatedCrs(text: string | null | undefined): Promise<CrsReference> {
  // The definition of GeoServer's unknown plane names its code.
  if (text == null || text.trim() === '' || /"404000"\]/.test(text)) return {};
  const code = (await findCrs(text))?.code;
  return code === undefined ? matchWkt(text) : { code };
}
