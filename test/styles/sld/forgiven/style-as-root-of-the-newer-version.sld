<UserStyle xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"><!--? the document is a 'UserStyle': it is read as the style of an unnamed layer -->
  <se:Name>parcels</se:Name>
  <se:FeatureTypeStyle>
    <se:Rule>
      <se:PolygonSymbolizer>
        <se:Fill>
          <se:SvgParameter name="fill">#AACC88</se:SvgParameter>
        </se:Fill>
      </se:PolygonSymbolizer>
    </se:Rule>
  </se:FeatureTypeStyle>
</UserStyle>
