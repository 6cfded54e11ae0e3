<StyledLayerDescriptor version="1.0.0">
  <UserStyle><!--? 'UserStyle' must stand in a NamedLayer or UserLayer: it is read as the style of a layer without a name -->
    <FeatureTypeStyle>
      <Rule>
        <LineSymbolizer>
          <Stroke/>
        </LineSymbolizer>
      </Rule>
    </FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
