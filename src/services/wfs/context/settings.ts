/** What the settings of the WFS say about its answers. */
import type { SettingValues } from '../../../catalog/kinds/setting.ts';
import { readServiceSettings, type ServiceFacts } from '../../ows/service-settings.ts';

export interface WfsSettings {
  readonly facts: ServiceFacts;
  /** No answer has more features than this. */
  readonly maxFeatures: number;
  /** Whether the number of features that fit is told although an answer would not have so many. */
  readonly hitsIgnoreMaxFeatures: boolean;
  /** The only formats that are offered, by any of their names; undefined for all. */
  readonly outputTypes: readonly string[] | undefined;
  /** Whether nothing may be changed through it. */
  readonly isReadOnly: boolean;
  /** Whether each feature of GML has the box around it. */
  readonly hasFeatureBounds: boolean;
  /** Whether each feature of GML 3.1 stands in an element of its own. */
  readonly hasMemberEach: boolean;
  /** Codes of the systems that lists offer beside that of a type. */
  readonly otherCrs: readonly string[];
}

/** Everything can be had in these, and hardly anybody asks for others: a list of all there are would fill megabytes. */
const defaultCrsCodes = ['EPSG:4326', 'EPSG:3857'];

export function readWfsSettings(values: SettingValues): WfsSettings {
  const { facts, value, texts, limit, crsCodes } = readServiceSettings('wfs', values);
  return {
    facts,
    maxFeatures: limit('maxFeatures'),
    hitsIgnoreMaxFeatures: value('hitsIgnoreMaxFeatures') === true,
    outputTypes: value('getFeatureOutputTypeCheckingEnabled') === true ? texts('getFeatureOutputTypes') : undefined,
    isReadOnly: value('serviceLevel') === 'BASIC',
    hasFeatureBounds: value('featureBounding') === true,
    hasMemberEach: value('encodeFeatureMember') === true,
    otherCrs: crsCodes.length === 0 ? defaultCrsCodes : crsCodes,
  };
}
