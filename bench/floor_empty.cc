// The least that a program can be: how long a start takes before anything is done.
int main() { return 0; }
