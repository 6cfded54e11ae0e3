/** Documents of stored queries. */

/** A stored query with one parameter. */
export const storedQuery = (name: string, more: object = {}) => ({
  storedQuery: {
    name,
    parameters: [{ name: 'lim', type: 'xs:int' }],
    queries: [
      '<wfs:Query xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" typeNames="acme:towns"><fes:Filter><fes:PropertyIsGreaterThan><fes:ValueReference>pop</fes:ValueReference><fes:Literal>${lim}</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter></wfs:Query>',
    ],
    ...more,
  },
});
