/** The context of all reading functions. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Rule } from '../../model/styled-layer-descriptor.ts';
import type { Complaints } from './complaints.ts';

/**
 * The structure is checked and reported first. Reading functions therefore report invalid values only, and ignore
 * missing or misplaced elements silently; the result is then discarded.
 */
export interface SldReadContext {
  readonly complaints: Complaints;
  /** The rules that were read before the end of the document. */
  readonly rules?: CompletedRules;
}

export interface CompletedRules {
  get(element: XmlElement): Rule | undefined;
}
