/* The graph written by hand, filled from a tree of jansson. */
#ifndef JANSSON_GRAPH_H
#define JANSSON_GRAPH_H

#include "hand.h"

#include <jansson.h>

/** Imports a tree, which must live as long as the graph; 0 unless it is an array of characters. */
int jansson_graph(hand_graph *graph, json_t *tree);

#endif
