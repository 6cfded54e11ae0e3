<UserStyle xmlns="http://www.opengis.net/sld"><!--?1 the document is a 'UserStyle': it is read as the style of an unnamed layer -->
  <Name>rivers</Name>
  <FeatureTypeStyle>
    <Rule>
      <LineSymbolizer>
        <Stroke/>
      </LineSymbolizer>
    </Rule>
  </FeatureTypeStyle>
</UserStyle>
