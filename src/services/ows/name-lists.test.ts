import { describe, expect, it } from 'vitest';
import { splitNameList } from './name-lists.ts';

describe('list of names', () => {
  const read = (text: string, ...known: readonly string[]) => splitNameList(text, async (name) => known.includes(name));

  it.each([
    ['is split at each comma if all names exist', 'a,b', ['a', 'b', 'a,b'], ['a', 'b']],
    ['has a name with a comma', 'a,b', ['a,b'], ['a,b']],
    ['has a name with a comma beside others', 'x, a,b ,y', ['x', 'y', 'a,b'], ['x', 'a,b', 'y']],
    ['has a name with a space after the comma', 'x,a, b', ['x', 'a, b'], ['x', 'a, b']],
    ['has a name that begins like another', 'a,b', ['a', 'a,b'], ['a,b']],
    ['prefers a longer name if a shorter one leaves an unknown rest', 'a,b,c', ['a,b', 'a,b,c'], ['a,b,c']],
    ['prefers shorter names if all of them exist', 'a,b,c', ['a', 'b,c', 'a,b', 'c', 'a,b,c'], ['a', 'b,c']],
    ['has a single name with many commas', 'a,b,c,d,e,f,g', ['a,b,c,d,e,f,g'], ['a,b,c,d,e,f,g']],
    ['ignores empty entries', ',a,,b,', ['a', 'b'], ['a', 'b']],
    ['is split at every comma if a name is unknown', 'a,b,c', ['c'], ['a', 'b', 'c']],
  ])('%s', async (_, text, known, names) => {
    expect(await read(text, ...known)).toEqual(names);
  });

  it('is parsed quickly for any content', async () => {
    let asked = 0;
    const known = async (name: string) => {
      asked += 1;
      return !name.includes('z');
    };

    expect((await splitNameList(`${'a,'.repeat(99)}z`, known)).length).toBe(100);
    expect((await splitNameList('a,'.repeat(5_000), known)).length).toBe(5_000);
    expect(asked).toBeLessThan(501);
  });
});
