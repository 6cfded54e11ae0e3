/** What every reading function needs to know beside the element it reads. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Rule } from '../../model/styled-layer-descriptor.ts';
import type { Complaints } from './complaints.ts';

/**
 * Structure was checked before, and complained about: a reading function takes what is there, complains of values
 * only, and passes over in silence what is missing or misplaced. What it then returns is never used.
 */
export interface SldReadContext {
  readonly complaints: Complaints;
  /** The rules that were read before the document had ended. */
  readonly rules?: CompletedRules;
}

export interface CompletedRules {
  get(element: XmlElement): Rule | undefined;
}
