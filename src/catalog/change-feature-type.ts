/** Changes of a published type: what the client says, and what follows from it for what is computed from the data. */
import { isDeepStrictEqual } from 'node:util';
import { geographicBounds } from '../data/crs/geographic-bounds.ts';
import type { FeatureTypeDescription } from '../data/vector/port.ts';
import { checkPrecondition, type Precondition } from '../lib/precondition.ts';
import type { Principal } from '../lib/principal.ts';
import { problem } from '../lib/problem.ts';
import { renameLayerInRules } from '../security/access-rules/rename-layer.ts';
import type { Catalog, CatalogTransaction } from './catalog.ts';
import {
  boundsCrs,
  defaultServiceSettings,
  type FeatureType,
  featureTypeKind,
  type PublishedAttribute,
} from './feature-type.ts';
import { type FeatureTypeDraft, kept, type Recalculation, serviceSettings } from './feature-type-draft.ts';
import { type FeatureTypePlace, type FeatureTypeView, findFeatureType } from './feature-type-view.ts';
import { featureTypeNameRule, refuseOtherPlace } from './feature-types.ts';
import { knownSrs } from './known-srs.ts';
import { layerKind } from './layer.ts';
import { checkName } from './names.ts';
import { refuseTakenTypeName } from './store-contents.ts';
import type { StoreData } from './store-data.ts';

export interface FeatureTypeChange {
  readonly data: StoreData;
  /** What to compute anew; null leaves it to what changes. */
  readonly recalculate: ReadonlySet<Recalculation> | null;
  readonly precondition: Precondition;
}

export async function changeFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: FeatureTypePlace & { readonly name: string },
  sent: FeatureTypeDraft,
  options: FeatureTypeChange,
): Promise<void> {
  const draft = sent.srs == null ? sent : { ...sent, srs: await knownSrs(sent.srs) };
  for (;;) {
    const before = await findFeatureType(catalog, place, place.name);
    refuseOtherPlace(before, draft);
    checkPrecondition(options.precondition, before.version);
    // Asked outside the change: all others would have to wait for a slow database.
    const described = needsData(before.type, draft, options) ? await describe(before, draft, options.data) : undefined;
    const what = `change feature type ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const view = await findFeatureType(transaction, place, place.name);
      checkPrecondition(options.precondition, view.version);
      // Somebody was faster, and now the data is needed, or that of another table.
      const isOutdated =
        view.type.nativeName !== before.type.nativeName ||
        (described === undefined && needsData(view.type, draft, options));
      if (!isOutdated) {
        await write(transaction, view, await changedType(view.type, draft, described, options.recalculate));
      }
      return !isOutdated;
    });
    if (isDone) {
      return;
    }
  }
}

async function write(transaction: CatalogTransaction, view: FeatureTypeView, changed: FeatureType): Promise<void> {
  const { type, workspace } = view;
  if (changed.name !== type.name) {
    await refuseTakenTypeName(transaction, workspace, changed.name);
    await renameLayerInRules(transaction, workspace.name, { from: type.name, to: changed.name });
    for (const layer of await transaction.list(layerKind, type.id)) {
      await transaction.update(layerKind, { ...layer, name: changed.name });
    }
  }
  await transaction.update(featureTypeKind, changed);
}

function needsData(type: FeatureType, draft: FeatureTypeDraft, { recalculate }: FeatureTypeChange): boolean {
  return (
    computesNativeBounds(type, draft, recalculate) ||
    (recalculate?.has('attributes') ?? false) ||
    draft.attributes === null ||
    (draft.nativeName != null && draft.nativeName !== type.nativeName) ||
    (draft.attributes ?? []).some((sent) => !type.attributes.some((known) => known.name === sent.name))
  );
}

function computesNativeBounds(
  type: FeatureType,
  draft: FeatureTypeDraft,
  recalculate: ReadonlySet<Recalculation> | null,
): boolean {
  return recalculate?.has('nativebbox') ?? (declarationChanges(type, draft) && draft.nativeBounds == null);
}

function declarationChanges(type: FeatureType, draft: FeatureTypeDraft): boolean {
  return (
    kept(draft.srs, type.srs) !== type.srs ||
    (draft.projectionPolicy ?? type.projectionPolicy) !== type.projectionPolicy
  );
}

async function describe(
  view: FeatureTypeView,
  draft: FeatureTypeDraft,
  data: StoreData,
): Promise<FeatureTypeDescription> {
  const name = draft.nativeName ?? view.type.nativeName;
  const described = await data.describe(view, name);
  if (described === undefined) {
    throw problem('native-type-unknown', { name, store: view.store.name });
  }
  return described;
}

async function changedType(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  recalculate: ReadonlySet<Recalculation> | null,
): Promise<FeatureType> {
  const nativeBounds = computesNativeBounds(type, draft, recalculate)
    ? (described?.bounds ?? null)
    : kept(draft.nativeBounds, type.nativeBounds);
  const changed: FeatureType = {
    ...type,
    ...serviceSettings(draft, type, defaultServiceSettings),
    name: newName(type, draft),
    nativeName: draft.nativeName ?? type.nativeName,
    title: kept(draft.title, type.title),
    description: kept(draft.description, type.description),
    abstract: kept(draft.abstract, type.abstract),
    keywords: kept(draft.keywords, type.keywords) ?? [],
    metadataLinks: kept(draft.metadataLinks, type.metadataLinks) ?? [],
    dataLinks: kept(draft.dataLinks, type.dataLinks) ?? [],
    srs: kept(draft.srs, type.srs),
    projectionPolicy: draft.projectionPolicy ?? type.projectionPolicy,
    nativeBounds,
    enabled: draft.enabled ?? type.enabled,
    advertised: draft.advertised ?? type.advertised,
    metadata: kept(draft.metadata, type.metadata) ?? {},
    attributes: changedAttributes(type, draft, described, recalculate?.has('attributes') ?? false),
  };
  const computesLatLon =
    recalculate?.has('latlonbbox') ??
    (draft.latLonBounds == null &&
      (declarationChanges(type, draft) || !isDeepStrictEqual(nativeBounds, type.nativeBounds)));
  if (!computesLatLon) {
    return { ...changed, latLonBounds: kept(draft.latLonBounds, type.latLonBounds) };
  }
  const computed = nativeBounds === null ? undefined : await geographicBounds(nativeBounds, boundsCrs(changed));
  return { ...changed, latLonBounds: computed ?? null };
}

/** A list that is sent replaces the old one: which attributes there are, in which order, and what is said of them. */
function changedAttributes(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  isReread: boolean,
): readonly PublishedAttribute[] {
  if (described !== undefined && (isReread || draft.attributes === null)) {
    return described.attributes;
  }
  if (draft.attributes == null) {
    return type.attributes;
  }
  const known = new Map([...(described?.attributes ?? []), ...type.attributes].map((each) => [each.name, each]));
  return draft.attributes.map(({ name, description }) => {
    const attribute = known.get(name);
    if (attribute === undefined) {
      throw problem('attribute-unknown', { attribute: name, name: type.name });
    }
    const { description: _old, ...own } = attribute as PublishedAttribute;
    return description === undefined ? own : { ...own, description };
  });
}

function newName(type: FeatureType, draft: FeatureTypeDraft): string {
  if (draft.name === undefined || draft.name === type.name) {
    return type.name;
  }
  if (draft.name === null || draft.name === '') {
    throw problem('name-emptied', { what: featureTypeNameRule.what, field: featureTypeNameRule.field });
  }
  checkName(draft.name, featureTypeNameRule);
  return draft.name;
}
