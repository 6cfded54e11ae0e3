/** What every reading function needs to know beside the element it reads. */
import type { Complaints } from '../complaints.ts';

/**
 * Structure was checked before, and complained about: a reading function takes what is there, complains of values
 * only, and passes over in silence what is missing or misplaced. What it then returns is never used.
 */
export interface Reading {
  readonly complaints: Complaints;
}
