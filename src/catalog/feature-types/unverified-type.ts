/** Feature types that are stored without verification, and their completion from the data when it is available. */
import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Attribute, FeatureTypeDescription } from '../../vector/port/port.ts';
import { defaultServiceSettings, type FeatureType, type FeatureTypeDraft, SRS_FIELD } from '../kinds/feature-type.ts';
import {
  type AttributeDraft,
  type AttributeType,
  createAttribute,
  type PublishedAttribute,
  resolveAttributes,
} from '../kinds/published-attribute.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import {
  createResourceFields,
  mergeResourceFields,
  mergeSettings,
  mergeValue,
  resolveSrs,
  resolveStatedCrs,
} from '../kinds/resource-draft.ts';
import type { Unverified } from '../kinds/unverified.ts';
import { findNativeCrs, KEYWORD, type Publication } from './publish-feature-type.ts';

/** Creates a publication from the fields of the client alone. */
export async function prepareUnverifiedType(
  draft: FeatureTypeDraft & { readonly name: string },
  nativeName: string,
  unverified: Unverified,
): Promise<Publication> {
  const nativeCrs = await resolveStatedCrs(draft.nativeCRS);
  const srs = draft.srs == null ? (nativeCrs.code ?? null) : await resolveSrs(draft.srs, SRS_FIELD);
  const remarks = createResourceFields(draft, draft.name, KEYWORD);
  const nativeBounds = draft.nativeBounds ?? null;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: remarks.projectionPolicy });
  const declaredAttributes = draft.attributes ?? [];
  return {
    ...mergeSettings(draft, defaultServiceSettings, defaultServiceSettings),
    ...remarks,
    name: draft.name,
    nativeName,
    nativeCrs,
    srs,
    nativeBounds,
    latLonBounds: draft.latLonBounds ?? (nativeBounds && (await computeGeographicBounds(nativeBounds, crs))) ?? null,
    ...declareAttributes(declaredAttributes),
    unverified,
  };
}

/** Applies the fields of the client without the data. Boxes are not recomputed. */
export async function mergeUnverifiedDraft(
  type: FeatureType,
  draft: FeatureTypeDraft,
  fixed: Pick<FeatureType, 'name' | 'nativeName'> & { readonly unverified: Unverified },
): Promise<FeatureType> {
  const declared = type.declaredAttributes ?? type.attributes.map(toAttributeDraft);
  return {
    ...type,
    ...mergeSettings(draft, type, defaultServiceSettings),
    ...mergeResourceFields(type, draft),
    srs: mergeValue(draft.srs, type.srs),
    nativeCrs: draft.nativeCRS === undefined ? type.nativeCrs : await resolveStatedCrs(draft.nativeCRS),
    nativeBounds: mergeValue(draft.nativeBounds, type.nativeBounds),
    latLonBounds: mergeValue(draft.latLonBounds, type.latLonBounds),
    ...declareAttributes(draft.attributes === undefined ? declared : (draft.attributes ?? [])),
    ...fixed,
  };
}

function toAttributeDraft(attribute: PublishedAttribute): AttributeDraft {
  const { name, nillable, minOccurs, maxOccurs, description, range, options, source } = attribute;
  const type: AttributeType =
    attribute.kind === 'geometry'
      ? { kind: 'geometry', type: attribute.type }
      : { kind: 'value', type: attribute.type };
  const length = attribute.kind === 'value' ? attribute.maxLength : undefined;
  const given = Object.entries({ minOccurs, maxOccurs, length, description, range, options, source });
  return { name, type, nillable, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}

/** The attributes of which the client states the type are known without the data. */
export function declareAttributes(
  declaredAttributes: readonly AttributeDraft[],
): Pick<FeatureType, 'attributes'> & { readonly declaredAttributes: readonly AttributeDraft[] } {
  const attributes = declaredAttributes.filter(({ type }) => type !== undefined);
  return { declaredAttributes, attributes: attributes.map((each) => createAttribute(each, {})) };
}

/** Returns the type with the attributes and the CRS of the data. The declared attributes select and describe them. */
export function completeType(type: FeatureType, described: FeatureTypeDescription): FeatureType {
  return completeFromData(type, {
    attributes: described.attributes,
    nativeCrs: findNativeCrs(described),
    tileZooms: described.tileZooms,
  });
}

export function completeFromData(
  type: FeatureType,
  data: Pick<Publication, 'attributes' | 'nativeCrs' | 'tileZooms'>,
): FeatureType {
  const { unverified, declaredAttributes = [], ...known } = type;
  if (unverified === undefined) return type;
  const isStated = Object.keys(type.nativeCrs).length > 0;
  return {
    ...known,
    nativeCrs: isStated ? type.nativeCrs : data.nativeCrs,
    tileZooms: data.tileZooms,
    attributes: completeAttributes(declaredAttributes, data.attributes, type.name),
  };
}

/** Ignores declared attributes that the data does not have, and all of them if they contradict the data. */
function completeAttributes(
  declared: readonly AttributeDraft[],
  native: readonly Attribute[],
  name: string,
): readonly PublishedAttribute[] {
  const names = new Set(native.map((each) => each.name));
  const usable = declared.filter((each) => names.has(each.name) || each.source !== undefined);
  if (usable.length === 0) return native;
  try {
    return resolveAttributes(usable, native, name);
  } catch (error) {
    if (error instanceof Problem) return native;
    throw error;
  }
}
