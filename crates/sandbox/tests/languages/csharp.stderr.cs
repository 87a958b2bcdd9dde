using System;
class Program
{
    static void Main()
    {
        Console.Error.WriteLine("careful");
        Console.WriteLine("done");
    }
}
