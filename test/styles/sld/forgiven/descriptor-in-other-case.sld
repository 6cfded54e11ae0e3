<styledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><!--? 'styledLayerDescriptor' is read as 'StyledLayerDescriptor' -->
  <namedLayer><!--? 'namedLayer' is read as 'NamedLayer' -->
    <Name>places</Name>
    <userStyle><!--? 'userStyle' is read as 'UserStyle' -->
      <FeatureTypeStyle>
        <Rule>
          <LineSymbolizer>
            <Stroke/>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </userStyle>
  </namedLayer>
</styledLayerDescriptor>
