//! Simplexity, the game of the ColorShapeLinks competitions.
