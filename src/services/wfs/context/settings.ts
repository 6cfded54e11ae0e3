/** The WFS settings. */
import type { SettingValues } from '../../../catalog/kinds/setting.ts';
import { readServiceSettings, type ServiceFacts } from '../../ows/service-settings.ts';

export interface WfsSettings {
  readonly facts: ServiceFacts;
  /** The maximum number of features in a response. */
  readonly maxFeatures: number;
  /** Whether counts may exceed the maximum number of features. */
  readonly hitsIgnoreMaxFeatures: boolean;
  /** The offered formats by any of their names; undefined for all. */
  readonly outputTypes: readonly string[] | undefined;
  /** Whether transactions are disabled. */
  readonly isReadOnly: boolean;
  /** Whether features can be locked. */
  readonly hasLocks: boolean;
  /** Whether clients can create and delete stored queries. */
  readonly hasStoredQueryManagement: boolean;
  /** Whether each GML feature has a bounding box. */
  readonly hasFeatureBounds: boolean;
  /** Whether each GML 3.1 feature has a featureMember element of its own. */
  readonly hasMemberEach: boolean;
  /** The CRS codes that capabilities list in addition to that of a type. */
  readonly otherCrs: readonly string[];
}

/** All known CRSs are accepted, but a list of all would take megabytes and hardly any client needs others. */
const defaultCrsCodes = ['EPSG:4326', 'EPSG:3857'];

export function readWfsSettings(values: SettingValues): WfsSettings {
  const { facts, value, texts, limit, crsCodes } = readServiceSettings('wfs', values);
  return {
    facts,
    maxFeatures: limit('maxFeatures'),
    hitsIgnoreMaxFeatures: value('hitsIgnoreMaxFeatures') === true,
    outputTypes: value('getFeatureOutputTypeCheckingEnabled') === true ? texts('getFeatureOutputTypes') : undefined,
    isReadOnly: value('serviceLevel') === 'BASIC',
    hasLocks: !['BASIC', 'TRANSACTIONAL'].includes(String(value('serviceLevel'))),
    hasStoredQueryManagement: value('disableStoredQueriesManagement') !== true,
    hasFeatureBounds: value('featureBounding') === true,
    hasMemberEach: value('encodeFeatureMember') === true,
    otherCrs: crsCodes.length === 0 ? defaultCrsCodes : crsCodes,
  };
}
