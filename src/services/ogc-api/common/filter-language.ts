/** The filter languages of features, maps and tiles. */
import { formatChoices } from '../../../lib/text/wording.ts';
import { createKind, declareParameter } from '../../ows/service-parameters.ts';

/** The supported filter languages; ECQL is the language of the other services. */
export const filterLanguages = { 'cql2-text': 'cql2-text', 'cql2-json': 'cql2-json', 'ecql-text': 'ecql' } as const;

type FilterLanguage = keyof typeof filterLanguages;

const languageNames = Object.keys(filterLanguages) as FilterLanguage[];

export const filterLanguage = declareParameter(
  'filter-lang',
  createKind<FilterLanguage>(
    formatChoices(languageNames),
    (name) => languageNames.find((each) => each === name),
    'cql2-text',
    { type: 'string', enum: languageNames },
  ),
  'The filter language.',
);
