<StyledLayerDescriptor version="1.0.0">
  <UserStyle><!--? 'UserStyle' must be inside a NamedLayer or UserLayer: it is read as the style of an unnamed layer -->
    <FeatureTypeStyle>
      <Rule>
        <LineSymbolizer>
          <Stroke/>
        </LineSymbolizer>
      </Rule>
    </FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
