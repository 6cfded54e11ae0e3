/** What a client may say of a feature type: absent stays, null clears. */
import type { Bounds } from '../../data/crs/bounds.ts';
import type { Metadata, ProjectionPolicy, ResourceLink, ServiceSettings } from './feature-type.ts';
import type { AttributeDraft } from './published-attribute.ts';

export type FeatureTypeDraft = {
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
  readonly srs?: string | null;
  readonly projectionPolicy?: ProjectionPolicy | null;
  readonly nativeBounds?: Bounds | null;
  readonly latLonBounds?: Bounds | null;
  readonly enabled?: boolean | null;
  readonly advertised?: boolean | null;
  readonly metadata?: Metadata | null;
  readonly attributes?: readonly AttributeDraft[] | null;
} & { readonly [S in keyof ServiceSettings]?: ServiceSettings[S] | null };

export type Recalculation = 'nativebbox' | 'latlonbbox' | 'attributes';

export const recalculations: readonly Recalculation[] = ['nativebbox', 'latlonbbox', 'attributes'];

/** What was sent, else what was there; null clears. */
export function kept<V>(sent: V | null | undefined, current: V | null): V | null {
  return sent === undefined ? current : sent;
}

/** The settings of services: what was sent, else what was there; null goes back to how it was at first. */
export function serviceSettings(
  draft: FeatureTypeDraft,
  current: ServiceSettings,
  initial: ServiceSettings,
): ServiceSettings {
  const entries = Object.entries(initial).map(([name, fallback]) => {
    const setting = name as keyof ServiceSettings;
    const sent = draft[setting];
    // A setting that older versions did not know is as it was at first.
    return [setting, sent === undefined ? (current[setting] ?? fallback) : (sent ?? fallback)];
  });
  return Object.fromEntries(entries) as unknown as ServiceSettings;
}
