import { describe, expect, it } from 'vitest';
import { splitNameList } from './name-lists.ts';

describe('a list of names', () => {
  const read = (text: string, ...known: readonly string[]) => splitNameList(text, async (name) => known.includes(name));

  it.each([
    ['is taken apart at each comma, where all of that is known', 'a,b', ['a', 'b', 'a,b'], ['a', 'b']],
    ['has a name with a comma', 'a,b', ['a,b'], ['a,b']],
    ['has a name with a comma beside others', 'x, a,b ,y', ['x', 'y', 'a,b'], ['x', 'a,b', 'y']],
    ['has one with white space behind the comma', 'x,a, b', ['x', 'a, b'], ['x', 'a, b']],
    ['has a name that begins like another', 'a,b', ['a', 'a,b'], ['a,b']],
    ['has a longer name where a shorter one leaves something over', 'a,b,c', ['a,b', 'a,b,c'], ['a,b,c']],
    ['has shorter names where these will do', 'a,b,c', ['a', 'b,c', 'a,b', 'c', 'a,b,c'], ['a', 'b,c']],
    ['has a name of many commas alone', 'a,b,c,d,e,f,g', ['a,b,c,d,e,f,g'], ['a,b,c,d,e,f,g']],
    ['passes over what is empty', ',a,,b,', ['a', 'b'], ['a', 'b']],
    ['is taken apart where nothing is known', 'a,b,c', ['c'], ['a', 'b', 'c']],
  ])('%s', async (_, text, known, names) => {
    expect(await read(text, ...known)).toEqual(names);
  });

  it('costs little to read, whatever is in it', async () => {
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
