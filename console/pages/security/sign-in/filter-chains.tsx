/** Which kinds of credentials each part of the server accepts. The chains are fixed; providers change them. */
import { useRest } from '../../../rest/cache.ts';
import { t } from '../../../words/words.ts';
import { Section } from '../common/page.tsx';
import { Records } from '../common/records.tsx';

interface Chain {
  readonly '@name': string;
  readonly '@path': string;
  readonly filter: string | readonly string[];
}

interface ChainList {
  readonly filterChain: { readonly filters: Chain | readonly Chain[] };
}

export function FilterChains() {
  const { security: words } = t();
  const read = useRest<ChainList>('/security/filterchain');
  const found = read.data?.body.filterChain.filters;
  if (found === undefined) return null;
  return (
    <Section title={words.chains} lead={words.chainsLead}>
      <Records
        label={words.chains}
        records={[found].flat()}
        keyOf={(chain) => chain['@name']}
        actionsLabel={words.actions}
        columns={[
          { id: 'name', label: words.chain, cell: (chain) => chain['@name'] },
          { id: 'paths', label: words.paths, cell: (chain) => <code>{chain['@path']}</code> },
          {
            id: 'filters',
            label: words.chainFilters,
            cell: ({ filter }) => (
              <ol class="role-list chain-filters">
                {[filter].flat().map((name) => (
                  <li key={name} class="security-badge">
                    {name}
                  </li>
                ))}
              </ol>
            ),
          },
        ]}
      />
    </Section>
  );
}
