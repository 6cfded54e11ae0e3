/** The engine of regular expressions, loaded with the first expression: most servers start without one. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const loadEngine = (): typeof import('re2js') => require('re2js');
