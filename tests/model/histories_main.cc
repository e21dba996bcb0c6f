// pawl_histories FILE: compares histories that tests/model/histories.py wrote with what the engine does.
#include "model/world.h"

int main(int argc, char** argv) { return argc == 2 ? pawl::model::compare_histories(argv[1]) != 0 : 2; }
